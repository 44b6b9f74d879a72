import { defineErrors } from '#shared/platform/errors.ts'
import { MAX_HTML, MAX_HTML_OF_PAGE, RENDER_TIMEOUT_MS } from './limits.ts'

export const PageErrors = defineErrors({
  slugTaken: {
    code: 'page.slug_taken',
    status: 409,
    message: ({ slug }: { slug: string }) =>
      `Another page of this store has the slug "${slug}". Choose another slug.`,
  },
  bodyTooComplex: {
    code: 'page.body_too_complex',
    status: 422,
    message:
      `The body takes longer than ${RENDER_TIMEOUT_MS / 1000} seconds to render or yields more than ${MAX_HTML} ` +
      `characters of HTML in one language or ${MAX_HTML_OF_PAGE} in all. Shorten it, or split it into several pages.`,
  },
})
