// Stands in the head of a page whose first paint is made by its HTML: the theme and the direction of
// the text, before anything is seen. startTheme and applyDirection go on from here. The server's policy
// lets exactly this text run.
{
  const root = document.documentElement;
  const theme = localStorage.getItem("bespeak.theme") ?? "";
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = /^(dark|light)$/.test(theme) ? theme : isDark ? "dark" : "light";
  const tags = [localStorage.getItem("bespeak.locale") ?? "", ...navigator.languages];
  const language = tags.map((tag) => tag.split("-")[0]).find((name) => /^(en|de|ar)$/.test(name));
  root.dir = language === "ar" ? "rtl" : "ltr";
}
