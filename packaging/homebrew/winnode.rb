class Winnode < Formula
  desc "Turn a Windows Server machine into a Kubernetes worker"
  homepage "${home}"
  version "${version}"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "${downloads}/winnode-darwin-arm64"
      sha256 "${darwin-arm64}"
    end
    on_intel do
      url "${downloads}/winnode-darwin-x64"
      sha256 "${darwin-x64}"
    end
  end

  on_linux do
    on_arm do
      url "${downloads}/winnode-linux-arm64"
      sha256 "${linux-arm64}"
    end
    on_intel do
      url "${downloads}/winnode-linux-x64"
      sha256 "${linux-x64}"
    end
  end

  def install
    bin.install Dir["winnode-*"].first => "winnode"
    generate_completions_from_executable(bin/"winnode", "completion")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/winnode --version")
    system bin/"winnode", "render", "ws2022-flannel-overlay", "--out", testpath/"win-node"
    assert_path_exists testpath/"win-node/node.json"
  end
end
