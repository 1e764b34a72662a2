import { useId } from 'react'

/** A drawn portrait that steps out of its background, on a field of kawung flowers. */
export function AuthPicture() {
  const id = useId()
  return (
    <div className="hidden overflow-hidden rounded-[2rem] bg-soft lg:block">
      <svg viewBox="0 0 480 560" className="h-full max-h-[40rem] w-full" aria-hidden="true">
        <defs>
          <pattern id={id} width="56" height="56" patternUnits="userSpaceOnUse">
            <g fill="var(--color-primary)" opacity="0.13">
              <ellipse cx="14" cy="14" rx="6" ry="14" transform="rotate(-45 14 14)" />
              <ellipse cx="42" cy="14" rx="6" ry="14" transform="rotate(45 42 14)" />
              <ellipse cx="42" cy="42" rx="6" ry="14" transform="rotate(-45 42 42)" />
              <ellipse cx="14" cy="42" rx="6" ry="14" transform="rotate(45 14 42)" />
            </g>
          </pattern>
        </defs>
        <rect width="480" height="560" fill={`url(#${id})`} />
        <path d="M90 560V270a150 150 0 0 1 300 0v290z" fill="var(--color-primary)" />
        <path
          d="M90 560V270a150 150 0 0 1 300 0v290"
          fill="none"
          stroke="var(--color-base-100)"
          strokeWidth="3"
          strokeDasharray="12 10"
          transform="translate(240 560) scale(1.09) translate(-240 -560)"
        />
        <g>
          <path d="M112 560c4-92 54-140 128-140s124 48 128 140z" fill="#fff6ea" />
          <path d="M206 396h68v52c0 20-14 34-34 34s-34-14-34-34z" fill="#c98a63" />
          <path
            d="M156 300c-8-86 26-140 86-140s92 50 86 138c-4 62-22 122-40 150-14-26-20-34-48-34s-36 10-46 34c-18-30-34-88-38-148z"
            fill="#2d211c"
          />
          <path d="M178 300c0-60 24-92 64-92s64 32 64 92c0 68-28 118-64 118s-64-50-64-118z" fill="#dca27b" />
          <path d="M178 296c18-6 62-22 80-70 10 34 26 58 48 70 4-66-18-104-64-104s-70 38-64 104z" fill="#2d211c" />
          <path
            d="M208 312c5-6 17-6 22 0M254 312c5-6 17-6 22 0"
            fill="none"
            stroke="#2d211c"
            strokeWidth="6"
            strokeLinecap="round"
          />
          <path d="M218 366c8 10 40 10 48 0-4 18-14 24-24 24s-20-6-24-24z" fill="#fff" />
          <circle cx="200" cy="348" r="12" fill="#d4795c" opacity="0.45" />
          <circle cx="284" cy="348" r="12" fill="#d4795c" opacity="0.45" />
        </g>
        <g fill="var(--color-base-100)">
          <path d="M408 120c4 22 12 32 32 38-20 6-28 16-32 38-4-22-12-32-32-38 20-6 28-16 32-38z" />
          <path d="M74 188c3 14 8 20 20 24-12 4-17 10-20 24-3-14-8-20-20-24 12-4 17-10 20-24z" />
        </g>
      </svg>
    </div>
  )
}
