import type { ReactNode } from 'react'

const bust = (
  <>
    <circle cx="24" cy="19" r="6.5" />
    <path d="M11.5 41.5c.4-8 5.4-13 12.5-13s12.1 5 12.5 13z" />
  </>
)

/** Drawn marks of the tools: a line drawing (`line`) with one filled thing (`fill`) that the tool is about. */
const marks: Record<string, { line?: ReactNode; fill?: ReactNode }> = {
  'background-removal': {
    line: <rect x="5" y="5" width="38" height="37" rx="9" strokeDasharray="5 4.2" />,
    fill: bust,
  },
  'video-background-removal': {
    line: (
      <>
        <rect x="4" y="10" width="40" height="28" rx="8" strokeDasharray="5 4.2" />
        <path d="M14 10v28M34 10v28" strokeWidth="1.6" />
      </>
    ),
    fill: <path d="M20.5 17.500c0-1.2 1.3-2 2.3-1.300l8 6.300c1 .7 1 2.2 0 2.900l-8 6.300c-1 .8-2.3 0-2.3-1.200z" />,
  },
  'object-removal': {
    line: (
      <>
        <circle cx="18" cy="29" r="12.5" strokeDasharray="4.5 4" />
        <path d="M6 45h36" />
      </>
    ),
    fill: (
      <path d="m24.5 25.2 13.8-18c1.2-1.5 3.6-1.2 4.4.5.4.9.3 1.9-.3 2.700L30 29.600c-1.3 1.8-3.9 2-5.5.4a3.5 3.5 0 0 1 0-4.800z" />
    ),
  },
  'background-diffusion': {
    line: (
      <>
        <rect x="5" y="7" width="38" height="34" rx="9" />
        <path d="m6 35 10-11 8 8 7-7 11 11" />
      </>
    ),
    fill: <circle cx="33" cy="16.5" r="4.5" />,
  },
  headshot: {
    line: <path d="M7 42V23a17 17 0 0 1 34 0v19z" />,
    fill: (
      <>
        <circle cx="24" cy="20" r="6" />
        <path d="M13 42c.4-7.5 4.8-12 11-12s10.6 4.5 11 12z" />
      </>
    ),
  },
  cartoonizer: {
    line: (
      <>
        <circle cx="24" cy="24" r="18" />
        <path d="M15.5 28c2 4.6 5 6.8 8.5 6.800s6.5-2.2 8.5-6.800z" />
      </>
    ),
    fill: (
      <>
        <circle cx="17.5" cy="19.5" r="3" />
        <circle cx="30.5" cy="19.5" r="3" />
      </>
    ),
  },
  'face-cutout': {
    line: (
      <path d="M24 4c9 0 15 6.5 15 15.500C39 30 32 40 24 40S9 30 9 19.500C9 10.5 15 4 24 4z" strokeDasharray="5 4.2" />
    ),
    fill: (
      <path d="M24 10c5.6 0 9.3 4 9.3 9.600C33.3 26.5 29 33.5 24 33.500s-9.3-7-9.3-13.900C14.7 14 18.4 10 24 10z" />
    ),
  },
  'photo-layout': {
    line: (
      <>
        <rect x="5" y="5" width="16" height="22" rx="5" />
        <rect x="27" y="5" width="16" height="12" rx="5" />
        <rect x="5" y="33" width="16" height="10" rx="5" />
      </>
    ),
    fill: <rect x="27" y="23" width="16" height="20" rx="5" />,
  },
  enhancement: {
    line: (
      <>
        <rect x="5" y="5" width="38" height="38" rx="9" />
        <path d="M24 5v38" strokeDasharray="4 3.5" />
        <path d="M10.5 15h4v4h4v4h-4v4h-4z" strokeWidth="1.8" />
      </>
    ),
    fill: <path d="M33.5 13c.9 5.3 2.7 7.5 7 9-4.3 1.5-6.1 3.7-7 9-.9-5.3-2.7-7.5-7-9 4.3-1.5 6.1-3.7 7-9z" />,
  },
  colorizer: {
    line: (
      <>
        <circle cx="16.5" cy="30" r="11" />
        <circle cx="31.5" cy="30" r="11" />
      </>
    ),
    fill: <circle cx="24" cy="16.5" r="11" opacity=".85" />,
  },
  'passport-photo': {
    line: (
      <>
        <rect x="10" y="4" width="28" height="40" rx="6" />
        <path d="M4 8v32M4 8h2.500M4 18.500h2.500M4 29.500h2.500M4 40h2.5" strokeWidth="1.8" />
      </>
    ),
    fill: (
      <>
        <circle cx="24" cy="18" r="5.5" />
        <path d="M14 37c.4-7 4.4-11 10-11s9.6 4 10 11z" />
      </>
    ),
  },
  'swap-face': {
    line: (
      <>
        <circle cx="14" cy="25" r="9.5" />
        <path d="M14 8.500c6-5 15-4.5 20 .5m0-6v6h-6M34 40.500c-6 5-15 4.5-20-.5m0 6v-6h6" />
      </>
    ),
    fill: <circle cx="34" cy="24" r="10" />,
  },
  'customize-edit': {
    line: <path d="M13 7h22a8 8 0 0 1 8 8v13a8 8 0 0 1-8 8H23l-10 8v-8a8 8 0 0 1-8-8V15a8 8 0 0 1 8-8z" />,
    fill: (
      <path d="M24 12.500c.9 5.6 2.8 8 7.3 9.5-4.5 1.5-6.4 3.9-7.3 9.5-.9-5.6-2.8-8-7.3-9.5 4.5-1.5 6.4-3.9 7.3-9.500z" />
    ),
  },
}

/** A tool's own drawn mark, in the text colour and the accent. */
export function ToolIcon({ tool, className = 'size-8' }: { tool: string; className?: string }) {
  const mark = marks[tool] ?? marks['background-removal']
  return (
    <svg viewBox="0 0 48 48" className={className} aria-hidden="true">
      <g fill="var(--color-primary)">{mark?.fill}</g>
      <g fill="none" stroke="currentColor" strokeWidth="2.6" strokeLinecap="round" strokeLinejoin="round">
        {mark?.line}
      </g>
    </svg>
  )
}
