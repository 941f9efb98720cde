// Buttons, and links that look like them.
import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Link } from "wouter";

type Kind = "primary" | "quiet" | "bare" | "danger";
type Size = "normal" | "small";

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  kind?: Kind;
  size?: Size;
  /** Shows a spinner and ignores clicks. */
  busy?: boolean;
};

export function Button({ kind = "primary", size = "normal", busy = false, ...rest }: ButtonProps) {
  const { children, className, onClick, type = "button", ...others } = rest;
  return (
    <button
      {...others}
      type={type}
      className={className ? `button ${className}` : "button"}
      data-kind={kind}
      data-size={size}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  );
}

type LinkProps = {
  href: string;
  kind?: Kind;
  size?: Size;
  children: ReactNode;
  className?: string;
};

export function ButtonLink({
  href,
  kind = "primary",
  size = "normal",
  children,
  className,
}: LinkProps) {
  return (
    <Link
      href={href}
      className={className ? `button ${className}` : "button"}
      data-kind={kind}
      data-size={size}
    >
      {children}
    </Link>
  );
}
