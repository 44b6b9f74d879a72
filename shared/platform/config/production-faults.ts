import type { Config } from './environment.ts'

type Given = Record<string, string | undefined>

// Stripe's terms demand that its own library, from this address, takes the card.
const STRIPE_JS = 'https://js.stripe.com/'

// Without these, links in mails lead to localhost or no mail is sent, and nobody can reset a password. In development
// the mail jobs fail with a message instead.
const REQUIRED = ['PUBLIC_URL', 'SMTP_URL', 'MAIL_FROM']

// Without https, others could read and change tokens, card secrets, the gateway's key and pictures on their way.
const OVER_HTTPS = ['PUBLIC_URL', 'STRIPE_API_URL', 'IMAGES_URL', 'S3_ENDPOINT', 'CHALLENGE_VERIFY_URL']

/**
 * Returns the reasons why an environment must not serve real customers. Each fault names its variable, but no value.
 */
export function productionFaults(config: Config, env: Given): string[] {
  const limits = Object.entries(config).filter(([name, value]) => name.startsWith('LIMIT_') && value === 0)
  return [
    ...REQUIRED.filter((name) => !env[name]).map(
      (name) => `${name}: must have required property '${name}' in production`,
    ),
    ...OVER_HTTPS.filter((name) => /^http:/i.test(env[name] ?? '')).map(
      (name) => `${name}: must begin with https:// in production`,
    ),
    ...(config.STRIPE_JS_URL?.startsWith(STRIPE_JS)
      ? []
      : [`STRIPE_JS_URL: must begin with ${STRIPE_JS} in production`]),
    ...(/^(sk|rk)_live_/.test(config.STRIPE_SECRET_KEY ?? '')
      ? []
      : ['STRIPE_SECRET_KEY: must be a live key in production']),
    ...limits.map(([name]) => `${name}: must not be 0 in production`),
    ...keyFaults(env),
  ]
}

// A random key of 32 bytes has about 31 different characters in base64url, and fewer than 16 only once in 10^12 keys.
const MIN_DIFFERENT_CHARACTERS = 16

/** Returns faults for keys that a person typed, and for repeated keys: one theft would reveal the key of both uses. */
function keyFaults(env: Given): string[] {
  const seen = new Set<string>()
  return ['TOKEN_KEYS', 'ENCRYPTION_KEYS'].flatMap((name) => {
    const keys = (env[name] ?? '').split(',').map((pair) => pair.split(':')[1] ?? '')
    const isWeak = keys.some((key) => new Set(key).size < MIN_DIFFERENT_CHARACTERS)
    const sizeBefore = seen.size
    for (const key of keys) seen.add(key)
    const isRepeated = seen.size < sizeBefore + keys.length
    return [
      ...(isWeak ? [`${name}: must hold random keys; make each with openssl rand`] : []),
      ...(isRepeated ? [`${name}: must repeat no key of TOKEN_KEYS or ENCRYPTION_KEYS`] : []),
    ]
  })
}

const LOCAL_URL = /^https?:\/\/([\w-]+\.)*(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?(\/|$)/i

/**
 * Returns faults for development switches on a service that the internet reaches, whatever NODE_ENV is. With these
 * switches, callers could make the service call its own machine, or act for any domain.
 */
export function exposureFaults(config: Config): string[] {
  const isExposed = config.NODE_ENV === 'production' || !LOCAL_URL.test(config.PUBLIC_URL ?? '')
  if (!isExposed) return []
  return [
    ...(config.ALLOW_LOCAL_HOSTS
      ? ['ALLOW_LOCAL_HOSTS: must not be on in production or with a public PUBLIC_URL']
      : []),
    ...(config.DNS_SERVERS ? ['DNS_SERVERS: must not be set in production or with a public PUBLIC_URL'] : []),
  ]
}
