import { relative } from 'node:path'
import type { SandboxAccess } from '#test/scenarios/access.ts'

/** Prints the addresses, the credentials, and three commands to try. */
export function printTable(access: SandboxAccess, dir: string): void {
  const rows: [string, string][] = [
    ['Service', access.base_url],
    ['Reference page', `${access.docs_url}  (on a store's own domain no key is needed)`],
    ...access.stores.flatMap(({ slug, domain, publishable_key, owner, staff }): [string, string][] => [
      [`Store ${slug}`, access.base_url.replace('localhost', domain)],
      ['  publishable key', publishable_key],
      ['  owner', `${owner.email}  ${owner.password}`],
      ...staff.map(({ role, email, password }): [string, string] => [`  ${role}`, `${email}  ${password}`]),
    ]),
    ['Super-admin', `${access.super_admin.email}  ${access.super_admin.password}`],
    ['Payment gateway', access.gateway_url],
    ['  secret key', access.gateway_secret_key],
    ['  faults', `${access.gateway_url}/_sandbox/faults  (POST ${REFUND_FAULT}; DELETE ends all)`],
    ['  webhooks', `${access.gateway_url}/_sandbox/webhooks/pause, …/resume, …/lose  (POST)`],
    ['  disputes', `${access.gateway_url}/_sandbox/disputes  (POST {"payment_intent": "pi_…"})`],
    ['Webhook receiver', `${access.receiver_url}/hooks/<name>  (PUT …/behaviour {"status": 500}: it fails)`],
    ['Mailbox', access.mailbox_url],
    ['Identity provider', `${access.identity_provider_url}  (any name, no password)`],
    ['Till', `${access.till_url}/items  (X-Api-Key: any of 8 characters or more)`],
    [
      '  faults',
      `${access.till_url}/_sandbox/behaviour  (PUT {"mode": "error"}), …/limit  (PUT {"perSecond": 2})`,
    ],
    ...Object.entries(access.metrics_urls).map(([name, url]): [string, string] => [
      `Metrics of ${name}`,
      url,
    ]),
    ['Clock', `${access.clock_url}  (POST {"advance": "P1D"} moves the time of the whole sandbox)`],
    ['Logs', `${relative('.', dir) || dir}/logs`],
  ]
  console.log(`\n${rows.map(([name, value]) => `  ${name.padEnd(18)} ${value}`).join('\n')}\n`)
  console.log(
    `  Try:\n${tryLines(access)
      .map((line) => `    ${line}`)
      .join('\n')}\n`,
  )
  console.log(
    '  `npm run walkthrough` tells whole orders and a year of subscriptions. Ctrl-C stops everything; the next start continues here.',
  )
}

/** The next three refunds get no answer but are made: the service makes none of them twice. */
const REFUND_FAULT = JSON.stringify({ on: 'POST /v1/refunds', mode: 'error_after', times: 3 })

function tryLines({ base_url, stores }: SandboxAccess): string[] {
  const [store] = stores
  if (!store) return []
  const key = `-H 'X-Service-Key: ${store.publishable_key}'`
  const login = JSON.stringify({ email: store.owner.email, password: store.owner.password })
  return [
    `curl -s ${key} '${base_url}/api/v1/products?q=mug'`,
    `curl -s ${key} ${base_url}/api/v1/settings/store-info`,
    `curl -s -H 'Content-Type: application/json' -d '${login}' ${base_url}/api/v1/auth/login`,
  ]
}
