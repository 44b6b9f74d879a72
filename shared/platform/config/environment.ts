import { Type } from 'typebox'

const limitPer = (window: string) => (fallback: number, what: string) =>
  Type.Integer({
    default: fallback,
    minimum: 0,
    maximum: 1_000_000_000,
    description: `${what}, ${window}, over all web processes; 0: no limit`,
  })
const PerMinute = limitPer('a minute')
const PerHour = limitPer('an hour')

/** Every variable of the environment: its form, its default, and its meaning as README.md says it. */
export const Environment = Type.Object({
  NODE_ENV: Type.Enum(['development', 'test', 'production'], {
    default: 'development',
    description: 'production refuses test keys and development switches',
  }),
  DATABASE_URL: Type.String({
    pattern: '^postgres(ql)?://',
    description: 'PostgreSQL; a role that is neither superuser nor BYPASSRLS',
  }),
  DATABASE_DIRECT_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description: 'past a transaction pooler, for queues and LISTEN; default: DATABASE_URL',
    }),
  ),
  DATABASE_POOL: Type.Integer({
    default: 10,
    minimum: 2,
    maximum: 200,
    description: 'connections a process',
  }),
  DATABASE_POOL_WAIT_MS: Type.Integer({
    default: 5_000,
    minimum: 1,
    description: 'how long work waits for a free connection before it fails',
  }),
  HOST: Type.String({
    default: '0.0.0.0',
    description: 'address the web process listens on',
  }),
  PORT: Type.Integer({
    default: 3000,
    minimum: 0,
    maximum: 65535,
    description: 'port of the web process',
  }),
  PUBLIC_URL: Type.String({
    default: 'http://localhost:3000',
    pattern: '^https?://',
    description:
      'the address clients use, required in production; links in mails lead staff there, unless their store says where',
  }),
  TRUST_PROXY: Type.Boolean({
    default: false,
    description: 'believe X-Forwarded-* (set it behind a proxy only)',
  }),
  PROXY_HOPS: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 10,
    description: 'proxies that each add an address to X-Forwarded-For; what stands before theirs is hearsay',
  }),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'least severe level that is logged',
  }),
  TOKEN_KEYS: Type.String({
    pattern: '^[\\w-]+:[A-Za-z0-9_-]{43,}(,[\\w-]+:[A-Za-z0-9_-]{43,})*$',
    description: 'kid:key,… of 32 bytes or more in base64url; the first signs, all verify',
  }),
  ENCRYPTION_KEYS: Type.String({
    pattern: '^[\\w-]+:[A-Za-z0-9_-]{43}(,[\\w-]+:[A-Za-z0-9_-]{43})*$',
    description: 'kid:key,… of exactly 32 bytes in base64url; the first encrypts, all decrypt',
  }),
  WORKER_WAIT_MS: Type.Integer({
    default: 5_000,
    minimum: 0,
    description: "how long a request waits for a worker's result",
  }),
  STRIPE_SECRET_KEY: Type.String({
    minLength: 8,
    description: "the payment gateway's secret key",
  }),
  STRIPE_WEBHOOK_SECRET: Type.String({
    minLength: 8,
    description: "signs the gateway's notifications",
  }),
  STRIPE_API_URL: Type.String({
    default: 'https://api.stripe.com',
    pattern: '^https?://',
    description: 'another host that speaks the same wire format',
  }),
  STRIPE_TIMEOUT_MS: Type.Integer({
    default: 20_000,
    minimum: 100,
    maximum: 25_000,
    description: 'how long the gateway has to answer',
  }),
  ALLOW_LOCAL_HOSTS: Type.Boolean({
    default: false,
    description:
      'webhook receivers, identity providers and external catalogs on loopback, over plain http too; refused in production',
  }),
  SMTP_URL: Type.Optional(
    Type.String({
      pattern: '^smtps?://',
      description: 'server that takes the mail (smtp[s]://user:password@host:port); required in production',
    }),
  ),
  MAIL_FROM: Type.Optional(
    Type.String({
      maxLength: 254,
      pattern: '^[^\\s@<>]+@[^\\s@<>]+$',
      description: "sender's address of every mail, beside the store's name; required in production",
    }),
  ),
  DNS_SERVERS: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F.:\\[\\]]+(,[0-9a-fA-F.:\\[\\]]+)*$',
      description:
        "address[:port],… of the name servers asked for domains' proofs; default: the machine's own",
    }),
  ),
  LIMIT_LOGIN: PerMinute(5, 'sign-ins by address and e-mail'),
  LIMIT_FAILURES: PerHour(100, 'wrong passwords and codes by account, from whatever address'),
  LIMIT_REGISTER: PerMinute(3, 'new accounts by address'),
  LIMIT_FORGOT: PerMinute(3, 'links asked for by mail, by address'),
  LIMIT_CODES: PerMinute(10, 'codes and other secrets tried, by account, else by address'),
  LIMIT_QUESTIONS: PerMinute(3, 'questions about products by address'),
  LIMIT_VOUCHERS: PerMinute(10, 'gift vouchers looked up by code, by address'),
  LIMIT_API: PerMinute(300, 'storefront requests by publishable key and address'),
  LIMIT_ADMIN: PerMinute(600, 'admin requests by account or API token'),
  CATALOG_CACHE_MB: Type.Integer({
    default: 32,
    minimum: 0,
    maximum: 4096,
    description: 'kept catalog answers a web process; 0 turns it off',
  }),
})
