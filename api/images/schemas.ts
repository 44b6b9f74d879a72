import { listQuery } from '#api/platform/input/list-query.ts'
import { IMAGES } from '#shared/images/list-images.ts'
import { Shape, Uuid } from '#shared/platform/http/schema.ts'

export const ImageParams = Shape({ image_id: Uuid })

export const ImagesQuery = listQuery(IMAGES)
