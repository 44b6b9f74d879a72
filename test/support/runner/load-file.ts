import { after, before, suite } from 'node:test'
import { resetConfig } from '#shared/platform/config/config.ts'
import { createDatabase, dropDatabase, useDatabase } from '#test/support/database.ts'

// The environment that all files of this process start from. Processes run at the same time, and some files delete the
// anchors.
const initial: NodeJS.ProcessEnv = {
  ...process.env,
  AUDIT_ANCHORS: `${process.env.AUDIT_ANCHORS}-${process.pid}`,
}

/**
 * Loads a test file as a suite. It has a database of its own, and an environment of its own, which no other file of
 * the process sees: what it builds and sets while it loads is there again when its tests run.
 */
export async function loadFile(name: string, url: string): Promise<void> {
  setEnvironment(initial)
  const database = await createDatabase()
  await useDatabase(database)
  await new Promise<void>((resolve, reject) =>
    suite(name, async () => {
      let own = initial
      before(async () => {
        setEnvironment(own)
        await useDatabase(database)
      })
      await import(url).then(() => resolve(), reject)
      own = { ...process.env }
      // Registered last, because the hooks of the file may need the database.
      after(() => dropDatabase(database))
    }),
  )
}

function setEnvironment(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
  resetConfig()
}
