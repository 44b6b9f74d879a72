import { after } from 'node:test'
import '#test/support/database.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { type NameServer, startNameServer } from '#test/sandbox/dns.ts'

// Importing this file gives the test file a name server of its own.
export const nameServer: NameServer = await startNameServer()
process.env.DNS_SERVERS = nameServer.address
resetConfig()
after(() => nameServer.stop())
