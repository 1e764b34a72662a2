import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('comments end within 100 columns', () => {
  const files = globSync('{src,sw,tests,e2e}/**/*.{ts,tsx,mjs,mts}')
  const long = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, i) => {
        const isComment = /^\s*(\/\/|\/\*|\*)/.test(line) && !line.includes('biome-ignore')
        return isComment && line.length > 100 ? [`${file}:${i + 1}`] : []
      }),
  )
  expect(files).toContain('tests/comments.test.ts')
  expect(long).toEqual([])
})
