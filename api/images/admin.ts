import { staff } from '#api/platform/auth/access.ts'
import { RequestErrors } from '#api/platform/errors.ts'
import { preferWait } from '#api/platform/input/prefer-wait.ts'
import { reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { awaitImage } from '#shared/images/await-image.ts'
import { createImage } from '#shared/images/create-image.ts'
import { deleteImage as remove } from '#shared/images/delete-image.ts'
import { ImageErrors } from '#shared/images/errors.ts'
import { findImage } from '#shared/images/image.ts'
import { listImages as list } from '#shared/images/list-images.ts'
import { assertWithinQuota } from '#shared/images/quota.ts'
import { readHeader } from '#shared/images/read-header.ts'
import { ImageView, viewImage } from '#shared/images/view.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { imageExample as example } from './examples.ts'
import { BODY_LIMIT, receiveFile } from './receive-file.ts'
import { ImageParams, ImagesQuery } from './schemas.ts'

const images = new Resource({
  path: '/admin/images',
  audit: { resource: 'images', delete: 'deleteAdminImagesImageId' },
  params: ImageParams,
  reads: staff('catalog:read'),
  writes: staff('catalog:write'),
  returns: ImageView,
  view: viewImage,
  tag: entityTag,
  example,
})

export const uploadImage = endpoint({
  method: 'post',
  path: '/admin/images',
  access: staff('catalog:write'),
  audit: { action: 'postAdminImages', resource: 'images' },
  summary: 'Upload an image',
  description:
    'The body is the file, or the first file of a multipart form: JPEG, PNG, WebP or AVIF, known by its content, of ' +
    'at most 20 MB and 50 million pixels, an AVIF 25 million. A worker makes the files: WebP in up to five sizes, ' +
    'upright and without metadata such as the place of a photo; the upload itself is not kept. 201: the files are ' +
    'ready. 202: they are not yet. Set `url` as the `url` of an image of a product. The URLs cannot be guessed, are ' +
    'public, and never change. The bytes of all images of a store are limited.',
  accepts: 'application/octet-stream',
  alsoAccepts: ['multipart/form-data', 'image/jpeg', 'image/png', 'image/webp', 'image/avif'],
  bodyLimit: BODY_LIMIT,
  transaction: 'manual',
  // An idempotency key would need a hash of the whole file. A repeated upload is a second image.
  idempotency: 'none',
  returns: [201, 202, ImageView],
  errors: [
    RequestErrors.tooLarge,
    RequestErrors.unsupportedMediaType,
    RequestErrors.malformed,
    ImageErrors.unsupportedFormat,
    ImageErrors.unreadable,
    ImageErrors.tooManyPixels,
    ImageErrors.tooCostly,
    ImageErrors.quotaExceeded,
    CommonErrors.notFound,
  ],
  example: { data: example },
  async handle({ store, request, unitOfWork }) {
    // Check early, so that a file without room is not received. The exact check follows with the file.
    await inStore(store.id, (tx) => assertWithinQuota(tx, 1))
    const { id } = await receiveFile(store.id, request, (bytes) => {
      const header = readHeader(bytes)
      return unitOfWork.inStore(store.id, async (tx) => viewImage(await createImage(tx, header, bytes)))
    })
    const image = await awaitImage(store.id, id, preferWait(request))
    return reply(image.status === 'ready' ? 201 : 202, viewImage(image), { ETag: entityTag(image) })
  },
})

export const listImages = images.list({
  summary: 'List the uploaded images',
  query: ImagesQuery,
  handle: ({ tx, query }) => list(tx, query),
})

export const readImage = images.read({
  summary: 'Read an uploaded image',
  handle: ({ tx, params }) => findImage(tx, params.image_id),
})

export const deleteImage = images.delete({
  summary: 'Delete an uploaded image with its files',
  description: 'It cannot be undone. Products that show it keep its URL: change them first.',
  handle: ({ tx, params }) => remove(tx, params.image_id),
})
