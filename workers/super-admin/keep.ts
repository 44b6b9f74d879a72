import { text } from 'node:stream/consumers'
import { closeDb } from '#shared/platform/db.ts'
import { keepSuperAdmin } from '#shared/super-admin/super-admin.ts'

const SHORTEST = 12

// `npm run super-admin -- <e-mail> < password.txt`: makes a super-admin, or gives the one with that address another
// password. The password comes by standard input, so that it stands in no list of processes.
const email = process.argv[2] ?? ''
const password = (await text(process.stdin)).trim()
if (!email.includes('@') || password.length < SHORTEST) {
  console.error(`Say an e-mail address, and a password of ${SHORTEST} characters or more by standard input`)
  process.exitCode = 1
} else {
  await keepSuperAdmin({ email, password })
  console.log(`${email} can sign in at POST /api/v1/super-admin/auth/login`)
  await closeDb()
}
