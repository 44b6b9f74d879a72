import Router from '@koa/router'

/** The API description and its page. */
export function docsRoutes(): Router {
  return new Router()
}
