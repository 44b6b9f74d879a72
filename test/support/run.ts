import { randomBytes } from 'node:crypto'
import { glob, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { startMailbox } from '#test/sandbox/mailbox.ts'
import { startPostgres } from '#test/sandbox/postgres.ts'
import { shareProcesses } from './share-processes.ts'
import { makeRole, makeTemplate } from './template.ts'

// Runs the tests, `npm test [-- files]`: one PostgreSQL, one migrated template, then a database of its own for
// every process. Files that are asked for have one each.
// Tests come from one address, and faster than any limit allows; those of the limits set their own.
const NO_LIMITS = Object.fromEntries(
  ['LOGIN', 'FAILURES', 'REGISTER', 'FORGOT', 'CODES', 'QUESTIONS', 'VOUCHERS', 'API', 'ADMIN'].map(
    (name) => [`LIMIT_${name}`, '0'],
  ),
)

const dataDir = await mkdtemp(join(tmpdir(), 'commerce-test-'))
const postgres = await startPostgres({
  dataDir: join(dataDir, 'postgres'),
  durable: false,
  maxConnections: 300,
})
// Takes the mails of tests that do not look at them; one that does has a mailbox of its own.
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
    // Every file is a process of its own, and most load all of the service: what one has compiled, the next need not.
    NODE_COMPILE_CACHE: join(dataDir, 'compiled'),
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

async function runFiles(asked: string[]): Promise<number> {
  const files = asked.length ? asked : await shareProcesses(await allFiles(), dataDir)
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort())
  let passed = false
  // Unlike `node --test`, this starts the files in their order.
  const tests = run({
    files: files.map((file) => resolve(file)),
    execArgv: ['--import', 'tsx/esm'],
    // Some wait for other processes more than they work.
    concurrency: availableParallelism() + 1,
    signal: stopped.signal,
  })
  tests.on('test:summary', ({ file, success }) => {
    if (file === undefined) passed = success
  })
  for await (const text of tests.compose(spec)) process.stdout.write(text)
  process.stdout.write('\n')
  return passed ? 0 : 1
}

async function allFiles(): Promise<string[]> {
  return (await Array.fromAsync(glob('test/**/*.test.ts'))).sort()
}
