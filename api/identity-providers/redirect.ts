import { type Reply, reply } from '#api/platform/output/reply.ts'

/** Redirects a browser, and sets or deletes its cookie. It sends no Referer, because the URL may contain a code. */
export const redirect = (location: string, cookie: string): Reply =>
  reply(302, null, {
    Location: location,
    'Set-Cookie': cookie,
    'Referrer-Policy': 'no-referrer',
  })
