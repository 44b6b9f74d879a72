import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allJobs } from '#shared/all-jobs.ts'

// `npm run test:jobs-twice`: runs the tests that run jobs, and each job twice. It fails if a second run changes
// anything, or if no test runs some kind of job.

const dir = await mkdtemp(join(tmpdir(), 'commerce-jobs-twice-'))
const file = join(dir, 'queues')
await writeFile(file, '')
try {
  const passed = await runTests()
  const unrun = await findUnrun()
  for (const queue of unrun) console.log(`No test ran a job of ${queue}`)
  process.exitCode = unrun.length === 0 && passed ? 0 : 1
} finally {
  await rm(dir, { recursive: true, force: true })
}

async function runTests(): Promise<boolean> {
  const env = { ...process.env, JOBS_RUN_TWICE: file }
  const tests = spawn(process.execPath, ['test/support/run.ts', '--jobs'], { stdio: 'inherit', env })
  const [code] = await once(tests, 'exit')
  return code === 0
}

async function findUnrun(): Promise<string[]> {
  const run = new Set((await readFile(file, 'utf8')).split('\n'))
  return allJobs.map(({ queue }) => queue).filter((queue) => !run.has(queue))
}
