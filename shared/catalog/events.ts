import { defineEvent } from '#shared/platform/events/events.ts'
import { ProductView } from './view.ts'

export const productCreated = defineEvent('product.created', 'A product was created', ProductView)
export const productUpdated = defineEvent('product.updated', 'A product was changed', ProductView)
export const productDeleted = defineEvent('product.deleted', 'A product was deleted', ProductView)
