import { db } from '#shared/platform/db/db.ts'

/** How many statements knex sends while `work` runs. */
export async function countQueries(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const counted = () => {
    count += 1
  }
  db().on('query', counted)
  try {
    await work()
  } finally {
    db().off('query', counted)
  }
  return count
}
