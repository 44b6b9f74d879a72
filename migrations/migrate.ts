import type { Knex } from 'knex'
import { PgBoss } from 'pg-boss'
import { allJobs } from '#shared/all-jobs.ts'
import { directUrl } from '#shared/platform/config/config.ts'
import { closeDb, db } from '#shared/platform/db/db.ts'
import { migrationFiles } from '#shared/platform/db/pending-migrations.ts'
import { DEAD_LETTERS, HEARTBEAT_SECONDS } from '#shared/platform/jobs/define-job.ts'
import { assertUnchanged, createChecksumTable, recordChecksum } from './checksums.ts'

const source: Knex.MigrationSource<string> = {
  getMigrations: migrationFiles,
  getMigrationName: (file) => file,
  getMigration: async (file) => {
    const migration = await import(`./${file}`)
    // Migrations are never undone: a later migration reverts a change.
    const up = async (knex: Knex) => {
      await migration.up(knex)
      await recordChecksum(knex, file)
    }
    return { up, down: async () => {} }
  },
}

/**
 * Migrates the tables, then the queues. Running it again changes nothing. Returns the applied migrations. Throws when a
 * migration changed after the database ran it.
 */
export async function migrate(): Promise<string[]> {
  const [ran] = await db().migrate.list({ migrationSource: source })
  await createChecksumTable()
  await assertUnchanged(ran.map(({ name }: { name: string }) => name))
  const [, applied] = await db().migrate.latest({ migrationSource: source })
  await migrateQueues()
  return applied
}

// One store with 20 webhooks can end 10,000 jobs a minute, and pg-boss counts all kept jobs every few seconds.
const KEEP_ENDED_SECONDS = 3600

async function migrateQueues() {
  const boss = new PgBoss({
    connectionString: directUrl(),
    supervise: false,
    schedule: false,
  })
  boss.on('error', (error) => {
    throw error
  })
  await boss.start()
  await boss.createQueue(DEAD_LETTERS, { retentionSeconds: 90 * 24 * 3600 })
  for (const { queue, rules } of allJobs) {
    const options = {
      retryLimit: rules.retries,
      retryDelay: rules.retryDelaySeconds,
      retryBackoff: true,
      retryDelayMax: rules.retryDelayMaxSeconds,
      expireInSeconds: rules.expireInSeconds,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      deleteAfterSeconds: KEEP_ENDED_SECONDS,
      deadLetter: DEAD_LETTERS,
      notify: true,
    }
    await boss.createQueue(queue, options)
    await boss.updateQueue(queue, options)
  }
  await boss.stop({ graceful: false })
}

if (import.meta.main) {
  const applied = await migrate()
  console.log(applied.length ? `Applied ${applied.join(', ')}` : 'The database is up to date')
  await closeDb()
}
