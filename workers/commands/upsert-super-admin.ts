import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import '#shared/all-principals.ts'
import { closeDb } from '#shared/platform/db/db.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { closeQueues } from '#shared/platform/jobs/sender.ts'
import { resetTwoFactor } from '#shared/super-admin/reset-two-factor.ts'
import { MIN_PASSWORD_LENGTH, upsertSuperAdmin } from '#shared/super-admin/upsert-super-admin.ts'

// `npm run super-admin -- <e-mail> < password.txt` creates a super-admin, or changes the password of an existing one.
// The password is read from standard input, so that no list of processes shows it. `npm run super-admin -- <e-mail>
// --reset-2fa` switches off the second factor of a super-admin who lost it.
const { values, positionals } = parseArgs({
  options: { 'reset-2fa': { type: 'boolean', default: false } },
  allowPositionals: true,
})
const [email = ''] = positionals
const problem = values['reset-2fa'] ? await reset() : await upsert()
if (problem) {
  console.error(problem)
  process.exitCode = 1
} else console.log(`${email} can sign in at POST /api/v1/super-admin/auth/login`)
await closeQueues()
await closeDb()

async function upsert(): Promise<string | null> {
  const password = (await text(process.stdin)).trim()
  if (!email.includes('@') || password.length < MIN_PASSWORD_LENGTH)
    return (
      `Give an e-mail address as the argument and a password of at least ${MIN_PASSWORD_LENGTH} characters on ` +
      'standard input'
    )
  try {
    await upsertSuperAdmin({ email, password })
  } catch (error) {
    if (error instanceof CodedError) return error.message
    throw error
  }
  return null
}

async function reset(): Promise<string | null> {
  return (await resetTwoFactor(email)) ? null : `No super-admin has the address "${email}"`
}
