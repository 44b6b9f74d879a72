import { purgeSalts } from '#shared/visits/daily-salt.ts'
import { purgeVisitorSalts as job } from '#shared/visits/jobs.ts'
import { handle } from '#workers/platform/handle.ts'

/** Deletes the salts of visitors' hashes of past days. */
export const purgeVisitorSalts = handle(job, purgeSalts)
