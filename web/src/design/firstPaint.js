// Stands in the head of a page whose first paint is made by its HTML: the theme, the direction of
// the text, and the faces if they are here, before anything is seen. startTheme and applyDirection go on from here. The server's policy
// lets exactly this text run.
{
  const root = document.documentElement;
  const theme = localStorage.getItem("bespeak.theme") ?? "";
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = /^(dark|light)$/.test(theme) ? theme : isDark ? "dark" : "light";
  if (localStorage.getItem("bespeak.faces") === "own") root.dataset.faces = "own";
  const tags = [localStorage.getItem("bespeak.locale") ?? "", ...navigator.languages];
  const language = tags.map((tag) => tag.split("-")[0]).find((name) => /^(en|de|ar)$/.test(name));
  root.dir = language === "ar" ? "rtl" : "ltr";
}
