import { defineEvent } from '#shared/platform/events/events.ts'
import { ProductView } from './view.ts'

export const productCreated = defineEvent('product.created', 'catalog', 'A product was created', ProductView)
export const productUpdated = defineEvent('product.updated', 'catalog', 'A product was changed', ProductView)
export const productDeleted = defineEvent('product.deleted', 'catalog', 'A product was deleted', ProductView)
