import type { Plugin } from 'vite'

const original = /(\/\*i18n\*\/ \{ id: '[^']+'), message: '[^']*' \}/g

/** The catalogue contains the Indonesian names too. */
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
