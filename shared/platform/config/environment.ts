import { type Static, Type } from 'typebox'

/** The roles of a worker process. */
export const WORKER_ROLES = ['money', 'mail-and-webhooks', 'bulk'] as const
export type WorkerRole = (typeof WORKER_ROLES)[number]
const ANY_ROLE = `(${WORKER_ROLES.join('|')})`

// An "address" is an IPv4 address or an IPv6 /64, a "network" an IPv4 address or an IPv6 /48. README.md defines them.
const limitPer = (window: string) => (fallback: number, events: string) =>
  Type.Integer({
    default: fallback,
    minimum: 0,
    maximum: 1_000_000_000,
    description: `${window}: ${events}`,
  })
const PerMinute = limitPer('per minute')
const PerHour = limitPer('per hour')

/** The longest STRIPE_TIMEOUT_MS. Jobs that call the gateway expire after a longer time. */
export const MAX_STRIPE_TIMEOUT_MS = 25_000

/** Every environment variable: schema, default and description. README.md repeats the descriptions. */
export const Environment = Type.Object({
  NODE_ENV: Type.Enum(['development', 'test', 'production'], {
    description:
      'required; production refuses development switches, test keys and weak keys, and requires more variables',
  }),
  DATABASE_URL: Type.String({
    pattern: '^postgres(ql)?://',
    description: 'PostgreSQL URL; the role must be neither superuser nor BYPASSRLS',
  }),
  DATABASE_DIRECT_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description:
        'direct PostgreSQL URL for queues and LISTEN, when DATABASE_URL leads to a transaction pooler; default: ' +
        'DATABASE_URL',
    }),
  ),
  DATABASE_POOL: Type.Integer({
    default: 10,
    minimum: 2,
    maximum: 200,
    description:
      'database connections per process. One store uses at most half of them, counts of limits use at most half, and ' +
      "a quarter is reserved for stores that use none. The networks of a store's clients take turns at its " +
      'connections. Clients who abandon many slow reads or read too much share another pool of half the size',
  }),
  DATABASE_POOL_WAIT_MS: Type.Integer({
    default: 5_000,
    minimum: 1,
    description: 'time-out for a free database connection',
  }),
  STATEMENT_TIMEOUT_MS: Type.Integer({
    default: 10_000,
    minimum: 100,
    description: 'time-out of a database statement of a request; a wait for a lock ends after half this time',
  }),
  READ_TIMEOUT_MS: Type.Integer({
    default: 2_000,
    minimum: 100,
    description: 'time-out of a database statement of a storefront read',
  }),
  REPORT_FRESH_ORDERS: Type.Integer({
    default: 100_000,
    minimum: 0,
    description:
      'most orders that a report reads for days without stored sums; a report of more orders returns 503',
  }),
  HOST: Type.String({
    default: '0.0.0.0',
    description: 'address on which the web process listens',
  }),
  PORT: Type.Integer({
    default: 3000,
    minimum: 0,
    maximum: 65535,
    description: 'port on which the web process listens',
  }),
  METRICS_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65535,
      description:
        'port on which a web or worker process serves /metrics; each process of a machine needs its own; without it ' +
        'there are no metrics',
    }),
  ),
  METRICS_HOST: Type.String({
    default: '127.0.0.1',
    description: 'address on which a process serves /metrics, which asks for no password',
  }),
  PUBLIC_URL: Type.String({
    default: 'http://localhost:3000',
    pattern: '^https?://',
    description:
      'public URL of the service, required in production; also the default base of links in mails to staff',
  }),
  TRUST_PROXY: Type.Boolean({
    default: false,
    description: 'trust X-Forwarded-For and X-Forwarded-Proto; set it only behind a proxy',
  }),
  TRUST_FORWARDED_HOST: Type.Boolean({
    default: false,
    description:
      'find stores by X-Forwarded-Host; only with TRUST_PROXY, behind a proxy that sets or removes that header',
  }),
  PROXY_HOPS: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 10,
    description: 'number of proxies that append to X-Forwarded-For; earlier addresses are not trusted',
  }),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'least severe level to log',
  }),
  TOKEN_KEYS: Type.String({
    pattern: '^[\\w-]+:[A-Za-z0-9_-]{43,}(,[\\w-]+:[A-Za-z0-9_-]{43,})*$',
    description: 'kid:key,… each of at least 32 bytes in base64url; the first key signs, all keys verify',
  }),
  ENCRYPTION_KEYS: Type.String({
    pattern: '^[\\w-]+:[A-Za-z0-9_-]{43}(,[\\w-]+:[A-Za-z0-9_-]{43})*$',
    description: 'kid:key,… each of exactly 32 bytes in base64url; the first key encrypts, all keys decrypt',
  }),
  MAX_CONNECTIONS: Type.Integer({
    default: 2_000,
    minimum: 1,
    description:
      'most open connections of a web process; above it, each new connection closes one of the network with the most',
  }),
  STOP_DELAY_MS: Type.Integer({
    default: 5_000,
    minimum: 0,
    maximum: 20_000,
    description:
      'time between SIGTERM and the last new connection, in which a load balancer learns of the stop',
  }),
  WORKER_WAIT_MS: Type.Integer({
    default: 5_000,
    minimum: 0,
    description: "time that a request waits for a worker's result",
  }),
  WORKER_QUEUES: Type.String({
    default: WORKER_ROLES.join(),
    pattern: `^${ANY_ROLE}(,${ANY_ROLE})*$`,
    description: 'roles of a worker process, each with its own queues',
  }),
  DOWNLOAD_STALL_MS: Type.Integer({
    default: 60_000,
    minimum: 100,
    description: 'time after which an idle connection is closed, e.g. of a client that stops reading',
  }),
  STRIPE_SECRET_KEY: Type.String({
    minLength: 8,
    description: 'secret key of the Stripe API',
  }),
  STRIPE_WEBHOOK_SECRET: Type.String({
    minLength: 8,
    description: "signing secret of Stripe's webhooks",
  }),
  STRIPE_API_URL: Type.String({
    default: 'https://api.stripe.com',
    pattern: '^https?://',
    description: 'base URL of the Stripe API',
  }),
  STRIPE_TIMEOUT_MS: Type.Integer({
    default: 20_000,
    minimum: 100,
    maximum: MAX_STRIPE_TIMEOUT_MS,
    description: 'time-out of a Stripe request',
  }),
  STRIPE_PUBLISHABLE_KEY: Type.Optional(
    Type.String({
      pattern: '^pk_(test|live)_[A-Za-z0-9]+$',
      description:
        'publishable key of the Stripe API, with which the built-in pages take cards; without it they send buyers to ' +
        'the shop',
    }),
  ),
  STRIPE_JS_URL: Type.String({
    default: 'https://js.stripe.com/endive/stripe.js',
    pattern: '^https?://[\\w.:/-]+$',
    description: "URL of Stripe's browser library; in production below https://js.stripe.com/",
  }),
  ALLOW_LOCAL_HOSTS: Type.Boolean({
    default: false,
    description:
      'allow webhook receivers, identity providers and external catalogs on localhost, also over http; refused on ' +
      'public hosts',
  }),
  SMTP_URL: Type.Optional(
    Type.String({
      pattern: '^smtps?://',
      description:
        'mail server, smtp[s]://user:password@host:port; required in production. A worker process opens at most 22 ' +
        'connections to it',
    }),
  ),
  MAIL_FROM: Type.Optional(
    Type.String({
      maxLength: 254,
      pattern: '^[^\\s@<>]+@[^\\s@<>]+$',
      description: 'sender address of all mails; required in production',
    }),
  ),
  DNS_SERVERS: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F.:\\[\\]]+(,[0-9a-fA-F.:\\[\\]]+)*$',
      description:
        "address[:port],… of the name servers that verify domains, for tests; default: the machine's own; refused on " +
        'public hosts',
    }),
  ),
  LIMIT_LOGIN: PerMinute(5, 'sign-ins of an e-mail from an address'),
  LIMIT_FAILURES: PerHour(
    100,
    'wrong passwords and codes of an account, and failed look-ups of an order number, from all addresses; ten times ' +
      'as many unknown coupon codes of a network',
  ),
  LIMIT_REGISTER: PerMinute(3, 'new accounts of an address; ten times as many of an IPv6 /48 network'),
  LIMIT_FORGOT: PerMinute(
    3,
    'requests of an address for a mailed link; ten times as many of an IPv6 /48 network',
  ),
  LIMIT_CODES: PerMinute(
    10,
    'codes and other secrets that an account tries, or an address without an account; orders that a network looks up',
  ),
  LIMIT_QUESTIONS: PerMinute(3, 'product questions of an address; ten times as many of an IPv6 /48 network'),
  LIMIT_VOUCHERS: PerMinute(10, 'gift vouchers that a network looks up or spends'),
  LIMIT_NETWORK: PerMinute(
    600,
    'storefront and sign-in requests of a network; as many pages, API descriptions and unknown paths; ten times as ' +
      'many image files',
  ),
  LIMIT_SIGN_INS: PerMinute(60, 'sign-ins of a network'),
  LIMIT_DECLINES: PerHour(20, 'declined cards of an order or subscription, and of a network'),
  LIMIT_ORDERS: PerHour(
    100,
    'orders of a network that are paid later; ten times as many by card; a tenth as many of an e-mail address in ' +
      'a store',
  ),
  LIMIT_CARTS: PerHour(1_000, 'new guest carts of a network'),
  LIMIT_STORED_MB: PerHour(
    250,
    'megabytes that the changes of a network store (bodies, files, events, words of searches, deliveries to ' +
      'webhooks, responses for repeats, reports of imports); eight times as many for the staff of a store, whose ' +
      'imports pause at it',
  ),
  LIMIT_API: PerMinute(300, 'storefront requests of an address with a publishable key'),
  LIMIT_ADMIN: PerMinute(600, 'admin requests of an account or API token'),
  LIMIT_STORE: PerMinute(6_000, 'admin requests of all accounts and API tokens of a store'),
  CHALLENGE_VERIFY_URL: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description:
        'URL at which the provider of a CAPTCHA verifies tokens; with it, callers near a limit must solve a ' +
        'challenge (see *Challenges*)',
    }),
  ),
  CHALLENGE_SITE_KEY: Type.Optional(
    Type.String({
      pattern: '^[\\w.:-]{1,200}$',
      description: 'public key with which storefronts show the challenge; required with CHALLENGE_VERIFY_URL',
    }),
  ),
  CHALLENGE_SECRET: Type.Optional(
    Type.String({ description: 'secret of the provider; required with CHALLENGE_VERIFY_URL' }),
  ),
  AUDIT_ANCHORS: Type.String({
    default: '.audit-anchors',
    description: 'file outside the database to which workers append the ends of the audit logs every night',
  }),
  IMAGES_DIR: Type.String({
    default: '.images',
    description: 'folder of uploaded images without a bucket; web and worker processes must share it',
  }),
  IMAGES_STORE_MB: Type.Integer({
    default: 5_000,
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'megabytes that the uploaded images of one store may take',
  }),
  IMAGES_URL: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description: 'public URL of the bucket or of a CDN before it; required with a bucket',
    }),
  ),
  S3_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description: 'address of an S3-compatible service, without the bucket; required with a bucket',
    }),
  ),
  S3_BUCKET: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
      description: 'bucket of uploaded images, readable by anyone; default: the folder IMAGES_DIR',
    }),
  ),
  S3_REGION: Type.String({ default: 'auto', description: 'region of the bucket' }),
  S3_ACCESS_KEY_ID: Type.Optional(
    Type.String({
      description: 'key that may write and delete objects of the bucket; required with a bucket',
    }),
  ),
  S3_SECRET_ACCESS_KEY: Type.Optional(Type.String({ description: 'its secret; required with a bucket' })),
  CATALOG_CACHE_MB: Type.Integer({
    default: 32,
    minimum: 0,
    maximum: 4096,
    description: 'size of the catalog response cache per web process; 0 turns it off',
  }),
})

export type Config = Readonly<Static<typeof Environment>>
