# A formula for a tap. VERSION and each SHA256 are in SHA256SUMS of the release.
class Bganalyze < Formula
  desc "Check, repair and analyze recorded backgammon matches"
  homepage "https://bganalyze-page.example/"
  version "VERSION"
  license "MIT"

  on_macos do
    on_arm do
      url "https://bganalyze-code.example/bganalyze/releases/download/vVERSION/bganalyze-macos-arm64"
      sha256 "SHA256"
    end
    on_intel do
      url "https://bganalyze-code.example/bganalyze/releases/download/vVERSION/bganalyze-macos-x64"
      sha256 "SHA256"
    end
  end

  on_linux do
    on_arm do
      url "https://bganalyze-code.example/bganalyze/releases/download/vVERSION/bganalyze-linux-arm64"
      sha256 "SHA256"
    end
    on_intel do
      url "https://bganalyze-code.example/bganalyze/releases/download/vVERSION/bganalyze-linux-x64"
      sha256 "SHA256"
    end
  end

  def install
    bin.install Dir["bganalyze-*"].first => "bganalyze"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/bganalyze --version")
  end
end
