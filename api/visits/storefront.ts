import { Type } from 'typebox'
import { storefront } from '#api/platform/auth/access.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { MAX_VISITORS_PER_DAY, SHARED_ROWS } from '#shared/visits/limits.ts'
import { recordVisit } from '#shared/visits/record-visit.ts'
import { TrackVisitRequest } from './schemas.ts'

export const trackVisit = endpoint({
  method: 'post',
  path: '/marketing/track',
  access: storefront,
  transaction: 'manual',
  idempotency: 'none',
  summary: 'Count a visit from a campaign link',
  description:
    'Counts a visitor once for each code and day of the store; the last click within 30 days before an order ' +
    'wins it. `visitor_id` is a random text that the storefront keeps for the visitor, and sends again at checkout. ' +
    'Without it a visitor is known on that day only, by a hash of IP address and agent under a salt that is deleted ' +
    'afterwards. The address, `url`, `referrer` and `utm` are not stored. After ' +
    `${MAX_VISITORS_PER_DAY.toLocaleString('en')} visitors of a code and day, further ones of that day count as up ` +
    `to ${SHARED_ROWS}, ` +
    'and win orders only by the `tracking_code` of the checkout. Unknown and inactive codes get the same response.',
  body: TrackVisitRequest,
  returns: [200, Type.Null()],
  example: {
    body: {
      code: 'OCTOBER',
      url: 'https://harbor.example/autumn?code=OCTOBER',
      referrer: 'https://mail.example/',
      utm: { utm_source: 'newsletter' },
      visitor_id: 'c1b8a6f0e2d94c7b',
    },
    data: null,
  },
  async handle({ store, body, request: { ip, userAgent } }) {
    const { code, visitorId } = toCamelCase(body)
    await recordVisit(store, code, { visitorId, ip, userAgent })
    return null
  },
})
