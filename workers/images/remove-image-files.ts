import { allKeysOf } from '#shared/images/files.ts'
import { removeImageFiles as job } from '#shared/images/jobs.ts'
import { openImageStorage } from '#workers/gateways/images/open-image-storage.ts'
import { handle } from '#workers/platform/handle.ts'

/** Removes the files of a deleted image. */
export const removeImageFiles = handle(job, ({ name }, { signal }) =>
  openImageStorage().remove(allKeysOf(name), signal),
)
