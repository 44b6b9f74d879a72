import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { closeDb } from '#shared/platform/db/db.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { closeQueues } from '#shared/platform/jobs/enqueue.ts'
import { resetTwoFactor } from '#shared/super-admin/reset-two-factor.ts'
import { SHORTEST_PASSWORD, upsertSuperAdmin } from '#shared/super-admin/upsert-super-admin.ts'

// `npm run super-admin -- <e-mail> < password.txt`: makes a super-admin, or gives the one with that address another
// password. The password comes by standard input, so that it stands in no list of processes.
// `npm run super-admin -- <e-mail> --reset-2fa`: for one who lost the app and the recovery codes.
const { values, positionals } = parseArgs({
  options: { 'reset-2fa': { type: 'boolean', default: false } },
  allowPositionals: true,
})
const [email = ''] = positionals
const problem = values['reset-2fa'] ? await reset() : await keep()
if (problem) {
  console.error(problem)
  process.exitCode = 1
} else console.log(`${email} can sign in at POST /api/v1/super-admin/auth/login`)
await closeQueues()
await closeDb()

async function keep(): Promise<string | null> {
  const password = (await text(process.stdin)).trim()
  if (!email.includes('@') || password.length < SHORTEST_PASSWORD)
    return `Say an e-mail address, and a password of ${SHORTEST_PASSWORD} characters or more by standard input`
  try {
    await upsertSuperAdmin({ email, password })
  } catch (error) {
    if (error instanceof CodedError) return error.message
    throw error
  }
  return null
}

async function reset(): Promise<string | null> {
  return (await resetTwoFactor(email)) ? null : `There is no super-admin with the address "${email}"`
}
