import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nested } from '#tests/support/hostile-containers.ts'
import { blankVideoMetadata } from './thread.ts'

test('endlessly nested boxes are skipped without a stack overflow', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'rupa-video-')), 'video')
  const bytes = nested('moov', 60_000)
  writeFileSync(path, bytes)
  blankVideoMetadata(path)
  expect(readFileSync(path).equals(bytes)).toBe(true)
})
