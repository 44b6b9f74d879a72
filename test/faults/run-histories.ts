import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Plays random histories in a test run of its own, which has a database and a gateway. True: all books agree. */
export async function runHistories(count: number): Promise<boolean> {
  const env = { ...process.env, HISTORIES: `${count}` }
  const files = ['test/support/runner/run.ts', 'test/faults/histories.test.ts']
  const [code] = await once(spawn(process.execPath, files, { env, stdio: 'inherit' }), 'exit')
  return code === 0
}
