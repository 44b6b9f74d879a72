import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import type { ContentType } from './content-type.ts'
import type { ImageFile } from './size.ts'
import type { ImageStatus } from './states.ts'

/** The reasons why the files of an image cannot be made, as staff read them. */
export const FAILURES = {
  undecodable: 'The pixels cannot be decoded',
  tooSlow: 'Decoding takes too long',
  tooLarge: 'Decoding takes too much memory',
} as const
export type FailureReason = (typeof FAILURES)[keyof typeof FAILURES]

/** An uploaded image of a store. A worker makes its files. */
export class Image extends StoreModel {
  static override tableName = 'images'
  static override jsonAttributes = ['files']

  /** A random name, a part of the URLs. */
  declare name: string
  declare status: ImageStatus
  /** The type and the size of the upload. */
  declare contentType: ContentType
  declare bytes: number
  /** The bytes of the files; until they are made, the bytes of the upload. */
  declare storedBytes: number
  declare width: number
  declare height: number
  /** Smallest first; empty until the image is ready. */
  declare files: ImageFile[]
  declare failureReason: string | null
  declare createdAt: Date
  declare updatedAt: Date
}

/** Returns the image; undefined if it was deleted. */
export const findImageIfAny = (tx: StoreTx, id: string): PromiseLike<Image | undefined> =>
  Image.in(tx).findById(id)

/** Throws `resource.not_found`. */
export async function findImage(tx: StoreTx, id: string): Promise<Image> {
  return assertFound(await findImageIfAny(tx, id))
}
