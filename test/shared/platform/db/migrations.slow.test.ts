import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { migrate } from '#migrations/migrate.ts'
import { db } from '#shared/platform/db/db.ts'

const ACCOUNTS = { file: '0002_accounts.ts' }
const changed = /migrations\/0002_accounts\.ts has changed since this database ran it/

test('migrating again changes nothing', async () => {
  assert.deepEqual(await migrate(), [])
})

test('a migration that changed after it ran is named, and nothing is migrated', async () => {
  const { checksum } = await db()('migration_checksums').where(ACCOUNTS).first()

  await db()('migration_checksums').where(ACCOUNTS).update({ checksum: 'of other text' })
  await assert.rejects(migrate(), changed)
  await db()('migration_checksums').where(ACCOUNTS).delete()
  await assert.rejects(migrate(), changed)

  await db()('migration_checksums').insert({ ...ACCOUNTS, checksum })
  assert.deepEqual(await migrate(), [])
})
