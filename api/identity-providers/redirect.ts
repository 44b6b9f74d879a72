import { type Reply, reply } from '#api/platform/output/reply.ts'

/** Sends a browser on, with the cookie it is to keep or to forget. Codes in its address are nobody else's to see. */
export const redirect = (location: string, cookie: string): Reply =>
  reply(302, null, {
    Location: location,
    'Set-Cookie': cookie,
    'Referrer-Policy': 'no-referrer',
  })
