import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface SignIn {
  email: string
  password: string
}

/** The file `access.json` that `npm start` writes when every process answers: addresses and credentials. */
export interface SandboxAccess {
  base_url: string
  docs_url: string
  stores: {
    id: string
    slug: string
    domain: string
    publishable_key: string
    owner: SignIn
    staff: (SignIn & { role: string })[]
  }[]
  super_admin: SignIn
  gateway_url: string
  gateway_secret_key: string
  till_url: string
  identity_provider_url: string
  mailbox_url: string
  receiver_url: string
  /** GET reads the sandbox's time, POST moves it. */
  clock_url: string
  metrics_urls: Record<'web' | 'money' | 'worker', string>
}

/** Reads the running sandbox's `access.json`. Throws with instructions when no sandbox runs. */
export async function readAccess(dir = process.env.SANDBOX_DIR || '.sandbox'): Promise<SandboxAccess> {
  try {
    return JSON.parse(await readFile(join(dir, 'access.json'), 'utf8'))
  } catch (error) {
    throw new Error(`No sandbox runs in ${dir}: start one with \`npm start\`, then try again`, {
      cause: error,
    })
  }
}
