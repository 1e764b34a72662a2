import { expect, it } from 'vitest'
import { fittingTools, isOlder, kindOf } from './open-with-page.tsx'

const ids = (...args: Parameters<typeof fittingTools>) => fittingTools(...args).map(({ definition }) => definition.id)

it('offers only the video tool for a video', () => {
  expect(ids('video', 1, ['enhancement'])).toEqual(['video-background-removal'])
})

it('offers combining and batch tools for several pictures, and no single-picture tool', () => {
  const tools = ids('picture', 5, [])
  expect(tools[0]).toBe('photo-layout')
  expect(tools).toContain('background-removal')
  expect(tools).not.toContain('video-background-removal')
})

it('offers every picture tool except the layout for a single picture', () => {
  const tools = ids('picture', 1, [])
  expect(tools[0]).toBe('background-removal')
  expect(tools).not.toContain('photo-layout')
  expect(tools).not.toContain('video-background-removal')
})

it('lists the last used tool first, and tools that cannot take all pictures last', () => {
  expect(ids('picture', 3, ['enhancement', 'cartoonizer']).slice(0, 3)).toEqual([
    'enhancement',
    'cartoonizer',
    'photo-layout',
  ])
  expect(ids('picture', 12, [])[0]).not.toBe('photo-layout')
})

it('recognizes a video by its name when the phone gives no type', () => {
  expect(kindOf({ type: '', name: 'VID_0001.MP4' })).toBe('video')
  expect(kindOf({ type: '', name: 'IMG_0001.HEIC' })).toBe('picture')
  expect(kindOf({ type: 'video/quicktime', name: 'a' })).toBe('video')
})

it('names files as older than the share that led here, and all of them if it was empty', () => {
  const now = 1_800_000_000_000
  expect(isOlder(now, String(now), now)).toBe(false)
  expect(isOlder(now - 60_000, String(now), now)).toBe(true)
  expect(isOlder(now, '0', now)).toBe(true)
  // Opened without a share.
  expect(isOlder(now - 60_000, null, now)).toBe(false)
  expect(isOlder(now - 3_600_000, null, now)).toBe(true)
})
