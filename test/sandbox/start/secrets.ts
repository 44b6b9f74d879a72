import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The secrets that a sandbox stores between starts, so that tokens, keys and addresses remain valid. */
export interface SandboxSecrets {
  tokenKeys: string
  encryptionKeys: string
  gatewaySecretKey: string
  gatewayWebhookSecret: string
  /** Publishable keys by store slug: the database has only their hashes. */
  publishableKeys: Record<string, string>
}

const fresh = (): SandboxSecrets => ({
  tokenKeys: `sandbox:${randomBytes(32).toString('base64url')}`,
  encryptionKeys: `sandbox:${randomBytes(32).toString('base64url')}`,
  gatewaySecretKey: `sk_test_${randomBytes(16).toString('hex')}`,
  gatewayWebhookSecret: `whsec_${randomBytes(16).toString('hex')}`,
  publishableKeys: {},
})

/** Reads the sandbox's secrets, or generates them at the first start. */
export async function openSecrets(dir: string): Promise<SandboxSecrets> {
  await mkdir(dir, { recursive: true })
  try {
    return JSON.parse(await readFile(fileIn(dir), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const secrets = fresh()
    await saveSecrets(dir, secrets)
    return secrets
  }
}

export const saveSecrets = (dir: string, secrets: SandboxSecrets): Promise<void> =>
  writeFile(fileIn(dir), `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })

const fileIn = (dir: string) => join(dir, 'secrets.json')
