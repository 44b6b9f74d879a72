import { Type } from 'typebox'
import { storefrontContext } from '#api/catalog/storefront-context.ts'
import { customer } from '#api/platform/auth/access.ts'
import { JsonText, Reply, reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { pageMeta } from '#shared/platform/db/list-query.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { PlainPageQuery } from '#shared/platform/http/query-parameters.ts'
import { addToWishlist as add } from '#shared/wishlist/add-to-wishlist.ts'
import { WishlistErrors } from '#shared/wishlist/errors.ts'
import { listWishlist as list } from '#shared/wishlist/list-wishlist.ts'
import { removeFromWishlist as remove } from '#shared/wishlist/remove-from-wishlist.ts'
import { WishlistItemView } from '#shared/wishlist/wishlist-item.ts'
import { AddToWishlistRequest, WishlistParams } from './schemas.ts'

const example = {
  id: '0199b1c2-7a10-7c3e-8f21-5b8de0a4c0e1',
  product_id: '0199b1c2-7a10-7c3e-8f21-5b8de0a4c001',
  product_name: 'Keel Rain Jacket',
  product_slug: 'keel-rain-jacket',
  price: 159,
  primary_image_url: 'https://images.harbor.example/keel-rain-jacket/1.jpg',
  created_at: '2026-10-11T09:30:00.000Z',
}

export const listWishlist = endpoint({
  method: 'get',
  path: '/wishlist',
  access: customer,
  // The list is read in one round trip, without a transaction of the request.
  transaction: 'manual',
  paginated: true,
  summary: "List the items of the customer's wishlist",
  description:
    'The newest first, with current prices. An unpublished or deleted product is hidden and keeps its place on the ' +
    'list; it is shown again when it is published again.',
  query: PlainPageQuery,
  returns: [200, Type.Array(WishlistItemView)],
  example: { data: [example] },
  async handle({ store, customer, query, request }) {
    const { json, total } = await list(storefrontContext(store, request), customer.id, query)
    return new Reply(new JsonText(json), { meta: pageMeta(total, query) })
  },
})

export const addToWishlist = endpoint({
  method: 'post',
  path: '/wishlist',
  access: customer,
  summary: "Add a product to the customer's wishlist",
  description: '201 with a new item; 200 with the existing item when the product is on the list already.',
  body: AddToWishlistRequest,
  returns: [201, 200, WishlistItemView],
  errors: [CommonErrors.notFound, WishlistErrors.limitReached],
  example: { body: { product_id: example.product_id }, data: example },
  async handle({ tx, store, customer, body, request }) {
    const entry = { customerId: customer.id, productId: body.product_id }
    const { item, isNew } = await add(tx, storefrontContext(store, request), entry)
    return reply(isNew ? 201 : 200, item)
  },
})

export const removeFromWishlist = endpoint({
  method: 'delete',
  path: '/wishlist/:product_id',
  access: customer,
  summary: "Remove a product from the customer's wishlist",
  params: WishlistParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound],
  example: { data: null },
  async handle({ tx, customer, params }) {
    await remove(tx, customer.id, params.product_id)
    return null
  },
})
