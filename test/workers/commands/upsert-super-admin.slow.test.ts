import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'

/** Runs `npm run super-admin` in a process of its own, with a line on standard input. */
async function run(args: string[], input = '') {
  const child = spawn(process.execPath, ['workers/commands/upsert-super-admin.ts', ...args], {
    env: process.env,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(`${input}\n`)
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await exited, output, errors }
}

const hashOf = (email: string) => db()('super_admins').where({ email }).first('password_hash')

test('the command creates a super-admin, changes the password and resets the second factor', async () => {
  const email = 'operator@example.test'

  const created = await run([email], 'a long enough password')
  const first = await hashOf(email)
  const changed = await run([email], 'another long password')
  const second = await hashOf(email)
  const reset = await run([email, '--reset-2fa'])

  assert.deepEqual({ code: created.code, errors: created.errors }, { code: 0, errors: '' })
  assert.match(created.output, /can sign in/)
  assert.deepEqual({ code: changed.code, errors: changed.errors }, { code: 0, errors: '' })
  assert.notEqual(first.password_hash, second.password_hash)
  assert.deepEqual({ code: reset.code, errors: reset.errors }, { code: 0, errors: '' })
})

test('a short password or an unknown address is refused with exit code 1', async () => {
  const short = await run(['short@example.test'], 'short')
  const unknown = await run(['unknown@example.test', '--reset-2fa'])

  assert.equal(short.code, 1)
  assert.match(short.errors, /at least \d+ characters/)
  assert.equal(await hashOf('short@example.test'), undefined)
  assert.equal(unknown.code, 1)
  assert.match(unknown.errors, /No super-admin has the address/)
})
