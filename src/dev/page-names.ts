import type { Plugin } from 'vite'

const original = /(\/\*i18n\*\/ \{ id: '[^']+'), message: '[^']*' \}/g

/**
 * Leaves the pages' Indonesian names out of the app's code: it comes with the catalogue in which
 * they stand too.
 */
export function pageNames(): Plugin {
  return {
    name: 'rupa-page-names',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      return /\/src\/contract\/(staff-)?pages\.ts$/.test(id)
        ? { code: code.replace(original, '$1 }'), map: null }
        : null
    },
  }
}
