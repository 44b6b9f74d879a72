import { type Logger, pino } from 'pino'

const SECRET_KEYS = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'access_token',
  'refresh_token',
  'client_secret',
  'x-service-key',
  'x-cart-token',
  'stripe-signature',
]
const paths = SECRET_KEYS.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`])

/** The process's log: one JSON line an entry on standard output, secrets redacted by key. */
export const log: Logger = pino({
  level: process.env.LOG_LEVEL || 'info',
  redact: { paths, censor: '[redacted]' },
  base: { process: process.env.PROCESS_NAME ?? 'commerce' },
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
})
