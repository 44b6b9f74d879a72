import { purgeSalts } from '#shared/marketing/daily-salt.ts'
import { purgeVisitorSalts as job } from '#shared/marketing/jobs.ts'
import { handle } from '#workers/platform/handle.ts'

/** Deletes the salts of visitors' hashes of past days. */
export const purgeVisitorSalts = handle(job, purgeSalts)
