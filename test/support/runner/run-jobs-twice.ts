import { allJobs } from '#shared/all-jobs.ts'
import { runRecorded } from '#test/support/runner/run-recorded.ts'

// `npm run test:jobs-twice`: runs the tests that run jobs, and each job twice. It fails if a second run changes
// anything, or if no test runs some kind of job.

const { lines: run, passed } = await runRecorded('JOBS_RUN_TWICE', [['--jobs']])
const unrun = allJobs.filter(({ queue }) => !run.has(queue))
for (const { queue } of unrun) console.log(`No test ran a job of ${queue}`)
process.exitCode = unrun.length === 0 && passed ? 0 : 1
