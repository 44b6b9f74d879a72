import path from 'node:path'
import { findBinaries } from '#test/sandbox/postgres/binaries.ts'
import { claimFolder } from '#test/sandbox/postgres/claim.ts'
import { ensureCluster, placeDataFolder, readPassword } from '#test/sandbox/postgres/data-folder.ts'
import { clearLeftovers } from '#test/sandbox/postgres/leftovers.ts'
import { chooseRunAs } from '#test/sandbox/postgres/run-as.ts'
import { PortTaken, runServer, type Server, type StopMode } from '#test/sandbox/postgres/server.ts'
import { freePort } from '#test/sandbox/start/ports.ts'

export type PostgresOptions = {
  /** Created on the first start; later starts use its data. */
  dataDir: string
  /** 0, the default, picks a free one. */
  port?: number
  /** False disables crash safety for speed, for tests. */
  durable: boolean
  maxConnections?: number
  settings?: Record<string, string>
}

export type Postgres = {
  /** The superuser's URL, on 127.0.0.1. */
  url: string
  port: number
  stop(mode?: StopMode): Promise<void>
  /** Restarts with the same port and data; `immediate` forces a crash recovery. */
  restart(mode?: StopMode): Promise<void>
}

/**
 * Starts a PostgreSQL server as any user. Root uses an unprivileged account and a data folder that the account
 * can reach. The server ends with this process, even when the process is killed.
 * @throws when another living process has claimed the folder, or the port is taken
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const dataDir = path.resolve(options.dataDir)
  const runAs = await chooseRunAs(dataDir)
  const claim = await claimFolder(dataDir)
  try {
    const folder = await placeDataFolder(dataDir, runAs, options.durable)
    await clearLeftovers(folder, claim.tookOver)
    const { postgres: program, initdb } = await findBinaries(runAs)
    await ensureCluster(folder, initdb, runAs, options.durable)
    const whenOrphaned: StopMode = options.durable ? 'fast' : 'immediate'
    const run = (port: number) =>
      runServer({
        program,
        folder,
        settings: settingsOf(options, port),
        runAs,
        whenOrphaned,
      })

    const first = await onFreePort(options.port ?? 0, run)
    let server: Server | undefined = first.server
    const stopServer = async (mode: StopMode) => {
      await server?.stop(mode)
      server = undefined
    }
    return {
      url: `postgres://postgres:${await readPassword(folder)}@127.0.0.1:${first.port}/postgres`,
      port: first.port,
      async stop(mode = 'fast') {
        if (!server) return
        await stopServer(mode)
        await claim.release()
      },
      async restart(mode = 'fast') {
        await stopServer(mode)
        if (mode === 'immediate') await clearLeftovers(folder, true)
        server = await run(first.port)
      },
    }
  } catch (error) {
    await claim.release()
    throw error
  }
}

function settingsOf({ durable, maxConnections, settings }: PostgresOptions, port: number) {
  const unsafe = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
  }
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '', // a path may be too long for a socket, or shared by two servers
    timezone: 'UTC',
    log_timezone: 'UTC',
    max_connections: String(maxConnections ?? 100),
    ...(durable ? {} : unsafe),
    ...settings,
    port: String(port),
  }
}

/** A free port may be taken before the server starts, so up to five are tried; a wanted port is tried once. */
async function onFreePort(wanted: number, run: (port: number) => Promise<Server>) {
  for (let attempt = 1; ; attempt++) {
    const port = wanted || (await freePort(0))
    try {
      return { port, server: await run(port) }
    } catch (error) {
      if (!(error instanceof PortTaken) || wanted || attempt === 5) throw error
    }
  }
}
