import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import '#test/support/database.ts'
import { createApp } from '#api/app.ts'
import { createHttpServer } from '#api/platform/pipeline/http-server.ts'
import { resetConfig } from '#shared/platform/config/config.ts'

interface Ending {
  after(end: () => void): void
}

/**
 * Serves the application until the end of the file (with the context of a test: of that), and believes the addresses of
 * clients in `X-Forwarded-For`. Returns its URL.
 */
export async function serveBehindProxy(ending: Ending = { after }): Promise<string> {
  Object.assign(process.env, { TRUST_PROXY: 'true', PROXY_HOPS: '1' })
  resetConfig()
  const server = createHttpServer(createApp().callback())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ending.after(() => {
    server.closeAllConnections()
    server.close()
    process.env.TRUST_PROXY = 'false'
    resetConfig()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
