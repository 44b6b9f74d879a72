import { join, relative } from 'node:path'
import { type Claim, claimFolder, FolderInUse } from '#test/sandbox/postgres/claim.ts'
import { readAccess } from '#test/scenarios/access.ts'

/** Claims the sandbox's folder for this start; when another one runs in it, returns a sentence that says so. */
export async function claimSandbox(dir: string): Promise<Claim | string> {
  try {
    return await claimFolder(join(dir, 'sandbox'))
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    const address = await readAccess(dir).then(
      ({ base_url }) => base_url,
      () => 'still starting',
    )
    const folder = relative('.', dir) || dir
    return `A sandbox runs in ${folder} already (process ${error.pid}, ${address}): stop it first, or start another one by SANDBOX_DIR=${folder}-2 PORT=3100 npm start`
  }
}
