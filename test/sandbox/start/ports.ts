import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Systems assign ports from 32768 to connections: such a port could be taken before a server listens on it.
const [LOWEST, HIGHEST] = [20_000, 32_767]
const MAX_TRIES = 100

/** The wanted port if it is free (so addresses stay the same between starts), else any free one. 0: any. */
export async function freePort(wanted: number): Promise<number> {
  if (wanted && (await isFree(wanted))) return wanted
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const port = randomInt(LOWEST, HIGHEST + 1)
    if (await isFree(port)) return port
  }
  throw new Error(`No port was free in ${MAX_TRIES} tries between ${LOWEST} and ${HIGHEST}`)
}

/** Whether the port is free. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '0.0.0.0')
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
    return true
  } catch {
    return false
  }
}
