import { randomBytes } from 'node:crypto'
import { glob, readFile, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { startMailbox } from '#test/sandbox/mailbox.ts'
import { startPostgres } from '#test/sandbox/postgres.ts'
import { createDataFolder } from '#test/support/runner/data-folder.ts'
import { groupFiles } from '#test/support/runner/group-files.ts'
import { makeRole, makeTemplate } from '#test/support/runner/template.ts'

// Runs tests on a PostgreSQL of their own, where each file has a database copied from one migrated template.
// Four sets: by default all but the slow tests; with `--slow` the slow ones, which are test/faults and the files named
// *.slow.test.ts; with `--jobs` those of both that run jobs in their own process; with files and folders these alone,
// one file a process. A file is slow if its tests take more than 200 ms on average: a fifth of the tests takes two
// thirds of the time.

const FAULTS = 'test/faults/'
const SLOW = '.slow.test.ts'

// All requests share one address and would exceed every limit. A test of a limit sets its own.
const NO_LIMITS = Object.fromEntries(
  [
    'LOGIN',
    'FAILURES',
    'REGISTER',
    'FORGOT',
    'CODES',
    'QUESTIONS',
    'VOUCHERS',
    'API',
    'ADMIN',
    'NETWORK',
    'SIGN_INS',
    'DECLINES',
    'ORDERS',
    'CARTS',
    'STORED_MB',
    'STORE',
  ].map((name) => [`LIMIT_${name}`, '0']),
)

// A busy machine is slow, and no test waits for these timeouts.
const PATIENT = {
  DATABASE_POOL_WAIT_MS: '120000',
  STATEMENT_TIMEOUT_MS: '120000',
  READ_TIMEOUT_MS: '120000',
  WORKER_WAIT_MS: '120000',
}

// No load balancer stands before the processes of a test.
const NO_BALANCER = { STOP_DELAY_MS: '0' }

const dataDir = await createDataFolder()
const postgres = await startPostgres({
  dataDir: join(dataDir, 'postgres'),
  durable: false,
  maxConnections: 300,
})
// Accepts the mails that no test reads. A test that reads mails imports mailbox.ts.
const mailbox = await startMailbox()
let exitCode = 1
try {
  const role = await makeRole(postgres.url)
  const key = () => `test:${randomBytes(32).toString('base64url')}`
  Object.assign(process.env, {
    NODE_ENV: 'test',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    TEST_POSTGRES_URL: postgres.url,
    TEST_ROLE_URL: role,
    TOKEN_KEYS: key(),
    ENCRYPTION_KEYS: key(),
    STRIPE_SECRET_KEY: 'sk_test_sandbox_gateway',
    STRIPE_WEBHOOK_SECRET: 'whsec_sandbox_gateway',
    ALLOW_LOCAL_HOSTS: 'true',
    SMTP_URL: mailbox.smtpUrl,
    MAIL_FROM: 'shop@example.test',
    IMAGES_DIR: join(dataDir, 'images'),
    AUDIT_ANCHORS: join(dataDir, 'audit-anchors'),
    // Most processes load the whole service: the first one fills the compile cache for the others.
    NODE_COMPILE_CACHE: join(dataDir, 'compiled'),
    ...PATIENT,
    ...NO_BALANCER,
    ...NO_LIMITS,
  })
  await makeTemplate(postgres.url, role)
  exitCode = await runFiles(process.argv.slice(2))
} finally {
  await mailbox.stop()
  await postgres.stop('immediate')
  await rm(dataDir, { recursive: true, force: true })
}
process.exit(exitCode)

async function runFiles(paths: string[]): Promise<number> {
  const files = await filesOf(paths)
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort())
  let passed = false
  // Starts the files in the given order, which `node --test` does not.
  const tests = run({
    files: files.map((file) => resolve(file)),
    // A larger young generation: tests leave much garbage, and collecting it took a tenth of the time.
    execArgv: [
      '--max-semi-space-size=64',
      '--import',
      'tsx/esm',
      '--import',
      import.meta.resolve('./cheap-hashes.ts'),
      '--import',
      import.meta.resolve('./async-tracking.ts'),
    ],
    // Some tests wait more than they compute.
    concurrency: availableParallelism() + 1,
    signal: stopped.signal,
  })
  tests.on('test:summary', ({ file, success }) => {
    if (file === undefined) passed = success
  })
  for await (const text of tests.compose(spec)) process.stdout.write(text)
  process.stdout.write('\n')
  if (paths.length === 0) console.log(`${await countSlow()} slow files are left out: npm run test:faults`)
  return passed ? 0 : 1
}

async function filesOf(paths: string[]): Promise<string[]> {
  const [set] = paths
  if (set && set !== '--slow' && set !== '--jobs') return filesIn(paths)
  const { faults, slow, fast } = await allFiles()
  if (set === '--jobs') return groupFiles(await drainingFiles([...slow, ...fast].sort()), dataDir)
  if (set === '--slow') return [...faults, ...(await groupFiles(slow, dataDir))]
  return groupFiles(fast, dataDir)
}

/** All test files by kind. Those of `faults` have a process each. */
async function allFiles() {
  const all = await filesIn(['test'])
  const faults = all.filter((file) => file.startsWith(FAULTS))
  const others = all.filter((file) => !file.startsWith(FAULTS))
  const slow = others.filter((file) => file.endsWith(SLOW))
  return { faults, slow, fast: others.filter((file) => !slow.includes(file)) }
}

async function countSlow(): Promise<number> {
  const { faults, slow } = await allFiles()
  return faults.length + slow.length
}

/** The files that run jobs by `drainJobs` or `runScheduled`. */
async function drainingFiles(files: string[]): Promise<string[]> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return files.filter((_, index) => /\b(drainJobs|runScheduled)\(/.test(texts[index] ?? ''))
}

async function filesIn(paths: string[]): Promise<string[]> {
  const patterns = paths.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`))
  return (await Array.fromAsync(glob(patterns))).sort()
}
