import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** The wanted port where it is free (addresses then stay the same from start to start), else any free one. */
export async function freePort(wanted: number): Promise<number> {
  return (await tryPort(wanted)) ?? (await tryPort(0)) ?? wanted
}

/** Whether nobody listens on the port. */
export const isFree = async (port: number): Promise<boolean> => (await tryPort(port)) !== null

async function tryPort(port: number): Promise<number | null> {
  const server = createServer()
  try {
    server.listen(port, '0.0.0.0')
    await once(server, 'listening')
    const { port: got } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    return got
  } catch {
    return null
  }
}
