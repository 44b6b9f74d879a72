import { DEADLOCK, sqlState } from './sql-error.ts'

const MAX_ATTEMPTS = 3

/** Runs `work` again after a deadlock, at most twice. It must change nothing outside the database. */
export async function retryDeadlocks<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (sqlState(error) !== DEADLOCK || attempt === MAX_ATTEMPTS) throw error
    }
  }
}
